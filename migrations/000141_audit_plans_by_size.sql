-- Planned anew at each call: a plan that a connection has kept from a time with few entries reads both tables for each
-- other's rows, and the erasure of a person with 10,000 bookings writes 10,000 entries within seconds.
ALTER FUNCTION erase_audit_texts(text[]) SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION chain_audit_entries(integer) SET plan_cache_mode = force_custom_plan;

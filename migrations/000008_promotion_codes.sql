-- Guests type promotion codes in upper or lower case: two codes may not differ by case alone.

CREATE UNIQUE INDEX promotions_code_without_case ON promotions (upper(code COLLATE pg_c_utf8));

-- Roles for those who write homes and prices, and for those who answer for the money.
ALTER TABLE operator_tokens DROP CONSTRAINT operator_tokens_role_check;
ALTER TABLE operator_tokens ADD CONSTRAINT operator_tokens_role_check
  CHECK (role IN ('administrator', 'reservations', 'content', 'finance', 'viewer'));
ALTER TABLE staff_members DROP CONSTRAINT staff_members_role_check;
ALTER TABLE staff_members ADD CONSTRAINT staff_members_role_check
  CHECK (role IN ('administrator', 'reservations', 'content', 'finance', 'viewer'));

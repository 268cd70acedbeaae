-- What the operator was told of the one list of what waits for people, and what is still to be told. The list itself
-- is read from the tables of its subjects.
CREATE TABLE attention_items (
  item_id uuid PRIMARY KEY DEFAULT uuidv7(),
  kind text NOT NULL,
  -- Within the kind.
  subject text NOT NULL,
  -- Without the guest.
  item json NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  -- What is told next: that it was opened, or closed. Null: nothing.
  telling text DEFAULT 'opened' CHECK (telling IN ('opened', 'closed')),
  due_at timestamptz DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  problem text,
  CHECK ((telling IS NULL) = (due_at IS NULL))
);
CREATE UNIQUE INDEX attention_items_open ON attention_items (kind, subject) WHERE closed_at IS NULL;
CREATE INDEX attention_items_due ON attention_items (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX attention_items_by_end ON attention_items (closed_at) WHERE closed_at IS NOT NULL;

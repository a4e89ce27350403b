-- The place that sends webhooks. A copy of the store in another folder or on another machine waits until a person says that
-- it is the one that sends (events 21.4). Without a row, none has sent anything yet.
CREATE TABLE webhook_place (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    machine TEXT    NOT NULL,
    folder  TEXT    NOT NULL
) STRICT;

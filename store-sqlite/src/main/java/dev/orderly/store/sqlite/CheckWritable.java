package dev.orderly.store.sqlite;

import java.sql.SQLException;

/** {@link SqliteStore#checkWritable}. */
final class CheckWritable extends Request<Boolean> {
    @Override
    Kind kind() {
        return Kind.SHARED;
    }

    @Override
    void write(Desk desk) throws SQLException {
        desk.tables.mark();
    }

    @Override
    Boolean answer(Desk desk) {
        return true;
    }
}

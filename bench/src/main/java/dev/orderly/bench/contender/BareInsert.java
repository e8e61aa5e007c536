package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * The reference: the least that a durable push can cost on this PostgreSQL. One caller inserts rows of one payload each
 * into a table with nothing but a primary key, each committed alone and synced. Its handler starts when the INSERT
 * returns, on the same thread.
 */
final class BareInsert implements Contender {
    private final Connection connection;
    private final PreparedStatement insert;
    private Consumer<String> handler = _ -> {};

    BareInsert(Database database) throws SQLException {
        database.freshPool(1).close();
        database.run(
                "CREATE TABLE bench.row (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text NOT NULL)");
        connection = DriverManager.getConnection(database.url());
        insert = connection.prepareStatement("INSERT INTO bench.row (payload) VALUES (?)");
    }

    @Override
    public void push(String payload) {
        try {
            insert.setString(1, payload);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException("The reference failed", e);
        }
        handler.accept(payload);
    }

    @Override
    public void pushAll(List<String> payloads) {
        payloads.forEach(this::push);
    }

    @Override
    public void start(Consumer<String> by) {
        handler = by;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("The reference failed", e);
        }
    }
}

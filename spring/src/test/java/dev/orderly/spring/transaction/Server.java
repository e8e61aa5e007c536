package dev.orderly.spring.transaction;

import dev.orderly.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * One PostgreSQL server for the tests of this module, which ends with their process. Each class has its own database.
 */
public final class Server {
    private static final PostgresServer SERVER = PostgresServer.start("fsync=off", "synchronous_commit=off");

    private Server() {}

    /** The URL of a new database with the given tables. */
    public static String database(String name, String... tables) throws SQLException {
        execute(SERVER.url(), "CREATE DATABASE " + name);
        String url = SERVER.url().replace("/postgres?", "/" + name + "?");
        execute(url, tables);
        return url;
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}

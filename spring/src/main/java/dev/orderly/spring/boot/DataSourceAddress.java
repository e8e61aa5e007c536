package dev.orderly.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.util.ClassUtils;

/**
 * The address of a data source, for connections beside its pool.
 *
 * @param url of JDBC
 * @param password never logged
 */
record DataSourceAddress(String url, @Nullable String user, @Nullable String password) {
    private static final String POSTGRES = "jdbc:postgresql:";
    /** Parameters of the application's sessions, for which Orderly's own have other values. */
    private static final Set<String> OF_SESSION = Set.of("currentSchema", "options", "ApplicationName", "readOnly",
            "connectTimeout", "socketTimeout", "tcpKeepAlive", "binaryTransferEnable", "autosave", "stringtype",
            "preferQueryMode", "reWriteBatchedInserts", "defaultRowFetchSize");

    /** @throws StartRefusedException if the address is not to be found */
    static DataSourceAddress of(DataSource source, BeanFactory beans) {
        if (ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", DataSourceAddress.class.getClassLoader())) {
            DataSourceAddress pooled = OfPool.address(source);
            if (pooled != null) {
                return pooled;
            }
        }
        JdbcConnectionDetails details = beans.getBeanProvider(JdbcConnectionDetails.class).getIfUnique();
        if (details == null) {
            String url = connected(source);
            if (!url.startsWith(POSTGRES)) {
                return new DataSourceAddress(url, null, null);
            }
            throw new StartRefusedException("The address of the data source " + source.getClass().getName()
                    + " is not to be found: Orderly needs connections of its own, beside the application's pool",
                    "Configure it by spring.datasource.url, or name the database: orderly.store: postgres://...");
        }
        return new DataSourceAddress(details.getJdbcUrl(), details.getUsername(), details.getPassword());
    }

    /** The address that a connection tells, which has no password. */
    private static String connected(DataSource source) {
        try (Connection connection = source.getConnection()) {
            return connection.getMetaData().getURL();
        } catch (SQLException e) {
            throw new StoreException.Unavailable("The data source does not connect: " + e.getMessage(), e);
        }
    }

    /** The part that needs the classes of HikariCP. */
    private static final class OfPool {
        static @Nullable DataSourceAddress address(DataSource source) {
            try {
                if (!source.isWrapperFor(HikariDataSource.class)) {
                    return null;
                }
                HikariDataSource pool = source.unwrap(HikariDataSource.class);
                return pool.getJdbcUrl() == null
                        ? null
                        : new DataSourceAddress(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
            } catch (SQLException e) {
                return null;
            }
        }
    }

    boolean isPostgres() {
        return url.startsWith(POSTGRES);
    }

    /** The URL without parameters of the application's sessions. */
    String withoutSession() {
        int query = url.indexOf('?');
        if (query < 0) {
            return url;
        }
        String kept = Arrays.stream(url.substring(query + 1).split("&"))
                .filter(parameter -> !OF_SESSION.contains(parameter.replaceFirst("=.*", "")))
                .collect(Collectors.joining("&"));
        return url.substring(0, query) + (kept.isEmpty() ? "" : "?" + kept);
    }

    @Override
    public String toString() {
        return "the data source of " + url.replaceFirst("\\?.*", "");
    }
}

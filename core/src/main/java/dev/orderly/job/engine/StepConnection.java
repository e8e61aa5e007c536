package dev.orderly.job.engine;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The connection of a step, which the step itself commits: the work can neither end its transaction nor close it. */
final class StepConnection implements InvocationHandler {
    private static final Set<String> ENDS = Set.of("commit", "setAutoCommit", "abort", "setTransactionIsolation");

    private final Connection connection;
    private final String step;

    private StepConnection(Connection connection, String step) {
        this.connection = connection;
        this.step = step;
    }

    static Connection of(Connection connection, String step) {
        return (Connection) Proxy.newProxyInstance(StepConnection.class.getClassLoader(),
                new Class<?>[]{Connection.class}, new StepConnection(connection, step));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a connection equals itself alone
    public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        boolean rollsBack = method.getName().equals("rollback") && method.getParameterCount() == 0;
        if (rollsBack || ENDS.contains(method.getName())) {
            throw new IllegalStateException("Step " + step + " calls " + method.getName()
                    + " on its connection: return, and the step commits; throw, and it rolls back");
        }
        if (method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        if (method.getName().equals("close")) { // frameworks close what they were given
            return null;
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

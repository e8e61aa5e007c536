package dev.orderly.testkit;

import dev.orderly.Internal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.Supplier;

/** Ports of a store whose calls pass through code of a test, whatever the method. */
@Internal(to = "dev.orderly")
public final class PortProxy {
    /** What happens around the calls of a port. */
    @FunctionalInterface
    public interface Around {
        /**
         * Answers a call.
         *
         * @param arguments of the call; none for a method without parameters
         * @param work performs the call; null for a void method
         */
        Object call(Method method, Object[] arguments, Supplier<Object> work);
    }

    private PortProxy() {}

    /** A port whose calls pass through {@code around}. */
    public static <T> T around(Class<T> port, T real, Around around) {
        Objects.requireNonNull(port, "port");
        Objects.requireNonNull(real, "real");
        Objects.requireNonNull(around, "around");
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[]{port},
                (_, method, arguments) -> around.call(method, arguments == null ? new Object[0] : arguments,
                        () -> invoke(real, method, arguments))));
    }

    private static Object invoke(Object real, Method method, Object[] arguments) {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}

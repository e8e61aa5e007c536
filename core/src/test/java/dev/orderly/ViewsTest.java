package dev.orderly;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an instance hands out. */
class ViewsTest {
    private static final Set<String> LIFE = Set.of("close", "stop", "start", "stopping");

    /** {@code try (var jobs = orderly.jobs())} must not end the pushes of the whole application. */
    @Test
    void noViewOfAnInstanceEndsIt() {
        List<Class<?>> views = Arrays.stream(Orderly.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getParameterCount() == 0).<Class<?>>map(Method::getReturnType)
                .filter(type -> type.getName().startsWith("dev.orderly.")).toList();
        assertThat(views).hasSizeGreaterThan(5).allSatisfy(view -> {
            assertThat(AutoCloseable.class.isAssignableFrom(view)).as("%s is closeable", view).isFalse();
            assertThat(view.getMethods()).filteredOn(method -> method.getParameterCount() == 0)
                    .extracting(Method::getName).as("methods of %s", view).doesNotContainAnyElementsOf(LIFE);
        });
    }
}

package dev.orderly.spring.aot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Keeps the resources that Orderly reads at run time: SQL and the version. */
final class OrderlyResources implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("dev/orderly/*.properties")
                .registerPattern("dev/orderly/store/postgres/sql/*.sql");
    }
}

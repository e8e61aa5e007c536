package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignupTest {
    @Test
    void aJobRunsInABean(@TempDir Path folder) throws InterruptedException {
        Map<String, Object> properties = Map.of("orderly.file", folder.resolve("orderly.db").toString());
        try (ApplicationContext context = ApplicationContext.run(properties)) {
            context.getBean(Signup.class).signUp("ada@example.com");

            Mailer mailer = context.getBean(Mailer.class);
            assertThat(mailer.sent().poll(1, TimeUnit.MINUTES)).isEqualTo(new Mail("ada@example.com", "Welcome"));
        }
    }
}

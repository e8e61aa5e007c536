package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@QuarkusTest
class SignupTest {
    @Inject
    Signup signup;
    @Inject
    Mailer mailer;

    @Test
    void aJobRunsInABean() throws InterruptedException {
        signup.signUp("ada@example.com");

        assertThat(mailer.sent().poll(1, TimeUnit.MINUTES)).isEqualTo(new Mail("ada@example.com", "Welcome"));
    }
}

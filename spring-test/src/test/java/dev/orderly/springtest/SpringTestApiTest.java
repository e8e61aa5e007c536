package dev.orderly.springtest;

import dev.orderly.testkit.contract.api.PublicApiContract;

/** The public API of the kit for tests of Spring Boot applications. */
class SpringTestApiTest extends PublicApiContract {
    SpringTestApiTest() {
        super(OrderlyTest.class, 0);
    }
}

package dev.orderly.spring;

import dev.orderly.testkit.contract.api.PublicApiContract;

/** The public API of the Spring Boot starter. */
class SpringApiTest extends PublicApiContract {
    SpringApiTest() {
        super(JobHandler.class, 2);
        except("a part of the starter, which makes it",
                "dev.orderly.spring.handler.HandlerArguments");
        except("a method that the starter has found", "dev.orderly.spring.handler.HandlerMethod");
    }
}

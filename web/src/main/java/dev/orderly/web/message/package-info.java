/** Requests and answers as values, and event streams. */
@Internal(to = {"dev.orderly.bench", "dev.orderly.dashboard", "dev.orderly.http", "dev.orderly.server",
        "dev.orderly.servlet", "dev.orderly.spring.web"})
@NullMarked
package dev.orderly.web.message;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;

/** The user of a request. */
@Internal(to = {"dev.orderly.bench", "dev.orderly.config", "dev.orderly.http", "dev.orderly.server",
        "dev.orderly.servlet", "dev.orderly.spring.web"})
@NullMarked
package dev.orderly.web.user;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;

/** The JavaScript client. */
@Internal(to = {"dev.orderly.http", "dev.orderly.server", "dev.orderly.servlet"})
@NullMarked
package dev.orderly.web.client;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;

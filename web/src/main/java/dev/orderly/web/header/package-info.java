/** Parsers of header values: cookies, hosts, languages, preferences. */
@Internal(
        to = {"dev.orderly.cli", "dev.orderly.config", "dev.orderly.http", "dev.orderly.server", "dev.orderly.servlet"})
@NullMarked
package dev.orderly.web.header;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;

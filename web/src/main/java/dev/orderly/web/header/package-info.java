/** Parsers of header values: cookies, hosts, languages, preferences. */
@NullMarked
package dev.orderly.web.header;

import org.jspecify.annotations.NullMarked;

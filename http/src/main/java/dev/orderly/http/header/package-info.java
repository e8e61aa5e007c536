/** Parsers of header values: cookies, hosts, languages, preferences. */
@NullMarked
package dev.orderly.http.header;

import org.jspecify.annotations.NullMarked;

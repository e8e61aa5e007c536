/** Certificates from an authority that speaks ACME (RFC 8555): requested, kept in a folder and renewed. */
@NullMarked
package dev.orderly.http.acme;

import org.jspecify.annotations.NullMarked;

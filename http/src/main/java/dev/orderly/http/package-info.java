/**
 * The HTTP servers: {@link dev.orderly.http.EdgeServer} for the public, {@link dev.orderly.http.ApiServer} for programs
 * and operators.
 */
@NullMarked
package dev.orderly.http;

import org.jspecify.annotations.NullMarked;

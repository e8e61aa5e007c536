/**
 * Access to the API: which identity a request has, and which role an operation needs.
 *
 * <p>Start at {@link dev.orderly.http.access.AccessRouter}.
 */
@NullMarked
package dev.orderly.http.access;

import org.jspecify.annotations.NullMarked;

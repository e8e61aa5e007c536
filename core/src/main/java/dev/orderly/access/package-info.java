/** Access to the API: roles, named tokens, and the identities that requests have. */
@NullMarked
package dev.orderly.access;

import org.jspecify.annotations.NullMarked;

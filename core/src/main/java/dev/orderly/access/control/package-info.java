/**
 * Verification of credentials and entries of the audit log.
 *
 * <p>Start at {@link dev.orderly.access.control.AccessControl}.
 */
@NullMarked
package dev.orderly.access.control;

import org.jspecify.annotations.NullMarked;

/** Certificates for tests, made when they are needed. */
@NullMarked
package dev.orderly.testkit.tls;

import org.jspecify.annotations.NullMarked;

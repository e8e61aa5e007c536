/** Real servers for tests, and an unreliable network between them and their clients. */
@NullMarked
package dev.orderly.testkit.server;

import org.jspecify.annotations.NullMarked;

/** Real servers for tests, and a network between them and their clients that fails when told to. */
@NullMarked
package dev.orderly.testkit.server;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.orderly.testkit.node;

import org.jspecify.annotations.NullMarked;

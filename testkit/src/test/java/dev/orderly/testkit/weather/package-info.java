/** Every promise in bad weather: what the engines share is taken by one, and the others get theirs all the same. */
@NullMarked
package dev.orderly.testkit.weather;

import org.jspecify.annotations.NullMarked;

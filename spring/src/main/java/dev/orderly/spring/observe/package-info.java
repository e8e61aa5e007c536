/** What an application sees of its jobs: observations and traces, meters, health, and the endpoint for operators. */
@Internal
@NullMarked
package dev.orderly.spring.observe;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;

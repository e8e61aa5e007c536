/** What an application sees of its jobs: observations and traces, meters, health, and the endpoint for operators. */
@NullMarked
package dev.orderly.spring.observe;

import org.jspecify.annotations.NullMarked;

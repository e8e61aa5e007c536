/**
 * Tests of Spring Boot applications with Orderly: {@link dev.orderly.springtest.OrderlyTest} for the handlers alone,
 * {@link dev.orderly.springtest.AutoConfigureOrderlyHarness} for whole applications. The bean of
 * {@link dev.orderly.testkit.harness.OrderlyHarness} drives both.
 */
@NullMarked
package dev.orderly.springtest;

import org.jspecify.annotations.NullMarked;

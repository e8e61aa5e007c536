package dev.orderly.springtest;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Starts the contexts of {@link OrderlyTest}. */
final class OrderlyTestBootstrapper extends TestSliceTestContextBootstrapper<OrderlyTest> {}

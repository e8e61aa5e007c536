@NullMarked
package dev.orderly.testkit.jobsim;

import org.jspecify.annotations.NullMarked;

/**
 * A simulation of jobs: the real engine on several nodes over one store, on virtual time, with threads, calls and
 * faults in an order of the seed's choice, checked by a referee that shares no code with the engine.
 */
@NullMarked
package dev.orderly.testkit.jobsim;

import org.jspecify.annotations.NullMarked;

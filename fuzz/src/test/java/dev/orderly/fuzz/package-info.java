/**
 * Every parser that faces the network or an operator, on inputs that a fuzzer has made. An input is a finding if it is
 * answered by anything but what the parser promises: a value with its properties, or a refusal that says why.
 */
@NullMarked
package dev.orderly.fuzz;

import org.jspecify.annotations.NullMarked;

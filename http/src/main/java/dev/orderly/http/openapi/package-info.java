/**
 * The OpenAPI document: what operations say of themselves, and the schemas that follow from the records of requests and
 * answers.
 */
@NullMarked
package dev.orderly.http.openapi;

import org.jspecify.annotations.NullMarked;

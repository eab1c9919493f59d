/**
 * Encodes pages of listings, tasks and docs as Results.
 *
 * <p>The applying thread fills a page, a slice at a time; the caller reads it and asks for the
 * next. Between two pages a listing costs the engine nothing, so slow readers hold nothing up.
 */
package io.entroq.engine.result;

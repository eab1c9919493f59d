/**
 * Mails that are sent again after failures, die if they keep failing, and are returned later: the
 * program of the guide on retries and dead letters. It is one type, because all of it is rules that
 * others follow: a worker's or a queue's.
 */
package io.entroq.examples.retries;

/**
 * By what a server is known, and by what it knows its callers: read from files, checked before
 * anything listens, and read again when the files have changed.
 */
package io.entroq.service.tls;

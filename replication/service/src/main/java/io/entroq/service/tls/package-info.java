/**
 * Certificates and keys: read from PEM files, checked before anything listens, and read again when
 * the files change. Any thread.
 */
package io.entroq.service.tls;

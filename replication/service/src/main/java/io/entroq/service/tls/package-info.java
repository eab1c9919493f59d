/**
 * Certificates and keys: read from PEM files, checked before anything listens, and reloaded when
 * the files change. Any thread.
 */
package io.entroq.service.tls;

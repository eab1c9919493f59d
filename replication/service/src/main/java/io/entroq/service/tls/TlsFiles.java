package io.entroq.service.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The files of a server's TLS, all of them PEM.
 *
 * @param certificate the server's own, and those above it
 * @param key its key, PKCS #8, without a password
 * @param clientCa whose signature the certificates of callers have to have; empty: they need none
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {}

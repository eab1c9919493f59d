package io.entroq.service.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files of a server.
 *
 * @param certificate the server's certificate, and the chain above it
 * @param key its key: PKCS #8, without a password
 * @param clientCa the authorities that sign callers' certificates; empty: callers need none
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {}

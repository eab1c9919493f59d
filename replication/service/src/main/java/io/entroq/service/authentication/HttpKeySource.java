package io.entroq.service.authentication;

import io.entroq.service.limit.LimitedBody;
import io.entroq.service.tls.TlsException;
import io.entroq.service.tls.TrustedAuthorities;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keys over HTTP. Redirects are not followed: they could lead to an unsafe place, and the bearer
 * token must not go there.
 */
final class HttpKeySource implements KeySource {
  private static final int OK = 200;

  private final URI url;
  private final Optional<Path> tokenFile;
  private final Duration timeout;
  private final HttpClient client;

  /**
   * @throws TlsException if the CA file cannot be used
   */
  HttpKeySource(URI url, AuthenticationConfig config) throws TlsException {
    this.url = url;
    tokenFile = config.jwksTokenFile();
    timeout = config.httpTimeout();
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(timeout);
    if (config.caFile().isPresent()) {
      builder.sslContext(TrustedAuthorities.context("--auth-ca-file", config.caFile().get()));
    }
    client = builder.build();
  }

  @Override
  public byte[] read() throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(url).header("Accept", "application/json");
    if (tokenFile.isPresent()) {
      request.header("Authorization", "Bearer " + token(tokenFile.get()));
    }
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(request.build(), head -> new LimitedBody(BYTES_MAX));
    HttpResponse<byte[]> response;
    try {
      // The client's own timeout covers only the time until the response starts.
      response = sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw new IOException("no response within " + timeout.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw new IOException(reason(e.getCause()), e.getCause());
    }
    if (response.statusCode() != OK) {
      throw new IOException("it answers with status " + response.statusCode());
    }
    return response.body();
  }

  /** The token may be replaced at any time. */
  private static String token(Path file) throws IOException {
    String token;
    try {
      token = Files.readString(file).trim();
    } catch (IOException e) {
      throw new IOException("cannot read the token for it from %s".formatted(file), e);
    }
    if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IOException("the file %s does not hold a token for it".formatted(file));
    }
    return token;
  }

  private static String reason(Throwable failure) {
    return failure instanceof ConnectException
        ? "it cannot be reached"
        : "it does not respond: " + failure.getMessage();
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public String description() {
    return url.toString();
  }
}

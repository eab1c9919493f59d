package io.entroq.console.login;

import io.entroq.console.user.Role;
import io.entroq.console.user.Session;
import io.entroq.console.user.User;
import io.entroq.console.web.Login;
import io.entroq.console.web.Router;
import io.entroq.service.call.Principal;
import io.entroq.service.http.SiteRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Users show a certificate of the authority that the server trusts. Its e-mail address names them,
 * or else its common name. Any thread.
 */
public final class CertificateLogin implements Login {
  private static final String ISSUER = "entroq-console";
  private static final int EMAIL = 1;

  private final Optional<UserFile> users;

  /**
   * @param users who have a role other than viewer
   */
  public CertificateLogin(Optional<UserFile> users) {
    this.users = users;
  }

  @Override
  public boolean isRequired() {
    return true;
  }

  @Override
  public Optional<Session> session(SiteRequest request) {
    return request
        .peer()
        .flatMap(shown -> name(shown).filter(name -> !name.isBlank()).map(name -> of(shown, name)));
  }

  private Session of(X509Certificate shown, String name) {
    Role role = users.flatMap(file -> file.find(name)).map(UserEntry::role).orElse(Role.VIEWER);
    long startMs = shown.getNotBefore().toInstant().toEpochMilli();
    long endMs = shown.getNotAfter().toInstant().toEpochMilli();
    Principal principal =
        new Principal(name, ISSUER, List.of("entroq-console"), endMs / 1_000, "{}");
    return new Session(new User(name, role, Optional.of(principal)), digest(shown), startMs, endMs);
  }

  /** The first e-mail address, or the common name. */
  static Optional<String> name(X509Certificate shown) {
    try {
      Collection<List<?>> names = shown.getSubjectAlternativeNames();
      if (names != null) {
        for (List<?> alternative : names) {
          if (alternative.get(0).equals(EMAIL)) {
            return Optional.of((String) alternative.get(1));
          }
        }
      }
      for (Rdn part : new LdapName(shown.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          return Optional.of(part.getValue().toString());
        }
      }
      return Optional.empty();
    } catch (CertificateParsingException | InvalidNameException e) {
      return Optional.empty();
    }
  }

  private static String digest(X509Certificate shown) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(shown.getEncoded()));
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalStateException("TLS has verified it", e);
    }
  }

  @Override
  public void addTo(Router router) {}

  @Override
  public void close() {}
}

package io.entroq.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DATA=a JOURNAL=b | ENTROQ_JOURNAL: cannot be combined with ENTROQ_DATA",
        "DURABILITY=os | ENTROQ_DURABILITY: needs --data; without it the queue is in memory",
        "MKDIR=true | ENTROQ_MKDIR: needs --data or --journal",
        "PERIODIC_SNAPSHOT=1h | ENTROQ_PERIODIC_SNAPSHOT: needs --data or --journal",
        "SNAPSHOT_AND_QUIT=true | ENTROQ_SNAPSHOT_AND_QUIT: needs --data or --journal",
        "JOURNAL_CLEANUP=true | ENTROQ_JOURNAL_CLEANUP: needs --data or --journal",
        "JOURNAL_MAX_ITEMS=1 | ENTROQ_JOURNAL_MAX_ITEMS: needs --data or --journal",
        "JOURNAL_MAX_BYTES=1 | ENTROQ_JOURNAL_MAX_BYTES: needs --data or --journal",
        "JOURNAL=a JOURNAL_CLEANUP=true | ENTROQ_JOURNAL_CLEANUP: needs --periodic-snapshot or",
        "JOURNAL=a SNAPSHOT_AND_QUIT=true PERIODIC_SNAPSHOT=1h | ENTROQ_SNAPSHOT_AND_QUIT: cannot",
        "DATA=a SNAPSHOT_INTERVAL=1h PERIODIC_SNAPSHOT=1h | ENTROQ_SNAPSHOT_INTERVAL: cannot",
        "TLS_CERT=a | ENTROQ_TLS_CERT: needs --tls-key",
        "TLS_KEY=a | ENTROQ_TLS_KEY: needs --tls-cert",
        "TLS_CLIENT_CA=a | ENTROQ_TLS_CLIENT_CA: needs --tls-cert",
        "OPA_URL=http://opa:1 | ENTROQ_OPA_URL: needs --authz opahttp",
        "AUTHZ=none OPA_PATH=/a | ENTROQ_OPA_PATH: needs --authz opahttp",
        "OPA_TIMEOUT=1s | ENTROQ_OPA_TIMEOUT: needs --authz opahttp",
        "OPA_FORWARD=false | ENTROQ_OPA_FORWARD: needs --authz opahttp",
        "AUTHZ_ALL=true | ENTROQ_AUTHZ_ALL: needs --authz opahttp or mesh; without it every",
        "AUTHZ=opahttp MESH_UPDATE_SUBJECT=s | ENTROQ_MESH_UPDATE_SUBJECT: needs --authz mesh",
        "MESH_POLICY_FILE=f | ENTROQ_MESH_POLICY_FILE: needs --authz mesh",
        "AUTHZ=mesh | ENTROQ_AUTHZ: needs --mesh-update-subject",
        "AUTHZ=mesh MESH_UPDATE_SUBJECT=s | ENTROQ_AUTHZ: mesh needs --authn jwt",
        "AUTHZ=mesh MESH_UPDATE_SUBJECT=s OPA_PATH=/a | ENTROQ_OPA_PATH: needs --authz opahttp",
        "AUTH_ISSUER=i | ENTROQ_AUTH_ISSUER: needs --authn jwt; without it callers need no token",
        "AUTHN=none AUTH_JWKS_FILE=f | ENTROQ_AUTH_JWKS_FILE: needs --authn jwt",
        "AUTH_CLOCK_SKEW=1s | ENTROQ_AUTH_CLOCK_SKEW: needs --authn jwt",
        "AUTHN=jwt AUTH_AUDIENCE=a AUTH_JWKS_FILE=f | ENTROQ_AUTHN: needs --auth-issuer",
        "AUTHN=jwt AUTH_ISSUER=i AUTH_JWKS_FILE=f | ENTROQ_AUTHN: needs --auth-audience",
        "AUTHN=jwt AUTH_ISSUER=i AUTH_AUDIENCE=a | ENTROQ_AUTHN: needs --auth-jwks-url or",
        "AUTHN=jwt AUTH_ISSUER=i AUTH_AUDIENCE=a AUTH_JWKS_FILE=f AUTH_JWKS_URL=https://i"
            + " | ENTROQ_AUTH_JWKS_FILE: cannot be combined with ENTROQ_AUTH_JWKS_URL",
        "AUTHN=jwt AUTH_ISSUER=i AUTH_AUDIENCE=a AUTH_JWKS_FILE=f AUTH_JWKS_TOKEN_FILE=t"
            + " | ENTROQ_AUTH_JWKS_TOKEN_FILE: needs --auth-jwks-url",
        "AUTHN=jwt AUTH_ISSUER=i AUTH_AUDIENCE=a AUTH_JWKS_FILE=f AUTH_CA_FILE=c"
            + " | ENTROQ_AUTH_CA_FILE: needs --auth-jwks-url",
        "CONSOLE_USERS_FILE=f | ENTROQ_CONSOLE_USERS_FILE: needs --console-login",
        "CONSOLE_URL=https://q | ENTROQ_CONSOLE_URL: needs --console-login; without it nobody logs in",
        "CONSOLE_MASK=/a | ENTROQ_CONSOLE_MASK: needs --console-login",
        "CONSOLE_LOGIN=file | ENTROQ_CONSOLE_LOGIN: needs --console-users-file",
        "CONSOLE_LOGIN=oidc | ENTROQ_CONSOLE_LOGIN: needs --console-oidc-issuer",
        "CONSOLE_LOGIN=oidc CONSOLE_OIDC_ISSUER=https://i"
            + " | ENTROQ_CONSOLE_LOGIN: needs --console-oidc-client-id",
        "CONSOLE_ADMINS=a | ENTROQ_CONSOLE_ADMINS: needs --console-login oidc",
        "CONSOLE_LOGIN=cert | ENTROQ_CONSOLE_LOGIN: needs --tls-client-ca",
        "CONSOLE_LOGIN=file CONSOLE_USERS_FILE=f | ENTROQ_CONSOLE_LOGIN: needs --tls-cert, or",
        "CONSOLE_LOGIN=file CONSOLE_USERS_FILE=f HOST=127.example.com"
            + " | ENTROQ_CONSOLE_LOGIN: needs --tls-cert, or",
        "VALUE_BYTES_MAX=8MiB | ENTROQ_VALUE_BYTES_MAX: 8,388,608 bytes do not fit into a message of"
            + " --max-size-mb 10",
        "MAX_SIZE_MB=1 | default of --value-bytes-max: 1,048,576 bytes do not fit",
      })
  void shouldRefuseWhatCannotBeToldTogether(String told, String said) {
    assertThatThrownBy(() -> SettingsRules.check(settings(told)))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "DURABILITY=none",
        "MKDIR=false JOURNAL_MAX_ITEMS=0",
        "DATA=a DURABILITY=none",
        "JOURNAL=a MKDIR=true PERIODIC_SNAPSHOT=1h JOURNAL_CLEANUP=true",
        "JOURNAL=a SNAPSHOT_AND_QUIT=true JOURNAL_CLEANUP=true",
        "TLS_CERT=a TLS_KEY=b TLS_CLIENT_CA=c",
        "OPA_URL=http://localhost:8181 OPA_FORWARD=true AUTHZ_ALL=false",
        "AUTHZ=opahttp OPA_URL=http://opa:1 OPA_FORWARD=false AUTHZ_ALL=true",
        "AUTHN=jwt AUTH_ISSUER=i AUTH_AUDIENCE=a,b AUTH_JWKS_FILE=f AUTH_CLOCK_SKEW=1s",
        "AUTHN=jwt AUTH_ISSUER=i AUTH_AUDIENCE=a AUTH_JWKS_FILE=f AUTHZ=mesh AUTHZ_ALL=true"
            + " MESH_UPDATE_SUBJECT=s MESH_POLICY_FILE=f",
        "AUTHN=jwt AUTH_ISSUER=i AUTH_AUDIENCE=a AUTH_JWKS_URL=https://i AUTH_CA_FILE=c"
            + " AUTH_JWKS_TOKEN_FILE=t AUTHZ=opahttp",
        "CONSOLE_LOGIN=file CONSOLE_USERS_FILE=f HOST=127.0.0.1 CONSOLE_MASK=/a,/b",
        "CONSOLE_LOGIN=file CONSOLE_USERS_FILE=f CONSOLE_URL=https://q CONSOLE_SECRET_FILE=s",
        "CONSOLE_LOGIN=cert TLS_CERT=a TLS_KEY=b TLS_CLIENT_CA=c",
        "CONSOLE_LOGIN=oidc CONSOLE_OIDC_ISSUER=https://i CONSOLE_OIDC_CLIENT_ID=c"
            + " CONSOLE_URL=https://q CONSOLE_ROLE_CLAIM=groups CONSOLE_ADMINS=a,b",
        "VALUE_BYTES_MAX=7MiB",
        "VALUE_BYTES_MAX=8MiB MAX_SIZE_MB=11",
        "VALUE_BYTES_MAX=512KiB MAX_SIZE_MB=1",
      })
  void shouldTakeTheRest(String told) {
    SettingsRules.check(settings(told));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JOURNAL_CLEANUP=true",
        "JOURNAL_MAX_ITEMS=7",
        "JOURNAL_MAX_BYTES=7",
        "READINESS_INTERVAL=5s"
      })
  void shouldSayWhatHasNoEffect(String told) {
    assertThat(SettingsRules.warnings(settings(told)))
        .hasSize(1)
        .allMatch(note -> note.startsWith("ENTROQ_" + told.replaceAll("=.*", ": ")))
        .allMatch(note -> note.contains("has no effect"));
    assertThat(SettingsRules.warnings(settings("JOURNAL_CLEANUP=false"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PROT=1 | ENTROQ_PROT: unknown setting; did you mean ENTROQ_PORT?",
        "STAL_MAX=1m | ENTROQ_STAL_MAX: unknown setting; did you mean ENTROQ_STALL_MAX?",
        "TLSCERT= | ENTROQ_TLSCERT: unknown setting; did you mean ENTROQ_TLS_CERT?",
        "CONFG=x | ENTROQ_CONFG: unknown setting; did you mean ENTROQ_CONFIG?",
        "= | ENTROQ_: unknown setting",
        "SOMETHING=else | ENTROQ_SOMETHING: unknown setting",
      })
  void shouldSayWhichVariableIsNone(String told, String said) {
    assertThat(SettingsRules.warnings(settings(told))).containsExactly(said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PORT=1 TLS_CERT=a",
        "SERVICE_HOST=10.0.0.7 SERVICE_PORT=37706 SERVICE_PORT_GRPC=37706 PORT=tcp://10.0.0.7:37706",
        "PORT_37706_TCP=tcp://10.0.0.7:37706 PORT_37706_TCP_PROTO=tcp PORT_37706_TCP_PORT=37706",
        "PORT_37706_TCP_ADDR=10.0.0.7 UI_PORT=udp://10.0.0.8:80 UI_SERVICE_HOST=10.0.0.8",
      })
  void shouldSayNothingOfVariablesThatAreSettingsOrAnOrchestrators(String told) {
    assertThat(SettingsRules.warnings(settings(told))).isEmpty();
  }

  private static Settings settings(String told) {
    Map<String, String> environment = new HashMap<>();
    for (String word : told.split(" ", 0)) {
      if (!word.isEmpty()) {
        String[] parts = word.split("=", 2);
        environment.put("ENTROQ_" + parts[0], parts[1]);
      }
    }
    return Settings.of(List.of(), Optional.empty(), environment);
  }
}

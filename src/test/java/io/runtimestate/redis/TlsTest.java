package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.Certificates;
import io.runtimestate.support.Certificates.Issued;
import io.runtimestate.support.RecordedLog;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real servers with certificates of authorities made for the test. */
class TlsTest extends RedisTest {
  private static Certificates authority;
  private static Certificates stranger;
  private static Issued serverOwn;
  private static RedisServer server;
  private static RedisServer mutual;

  @BeforeAll
  static void startServers() {
    authority = Certificates.authority();
    stranger = Certificates.authority();
    serverOwn = authority.issue("server", "dns:localhost,ip:127.0.0.1");
    server = RedisServer.startTls(authority, serverOwn, "tls-auth-clients no");
    mutual = RedisServer.startTls(authority, serverOwn, "tls-auth-clients yes");
  }

  @AfterAll
  static void stopServers() {
    server.close();
    mutual.close();
  }

  private static ClientSSLOptions trusting(Certificates trusted) {
    String file = trusted.authorityFile().toString();
    return new ClientSSLOptions().setTrustOptions(new PemTrustOptions().addCertPath(file));
  }

  private static ClientSSLOptions showing(Issued own) {
    return trusting(authority)
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .addCertPath(own.certificate().toString())
                .addKeyPath(own.key().toString()));
  }

  private RuntimeStateOptions secured(RedisServer to, ClientSSLOptions tls) {
    return secured("rediss://localhost:" + to.tlsPort(), tls);
  }

  /** Patient, because the first handshake of a JVM takes a second on a busy machine. */
  private RuntimeStateOptions secured(String url, ClientSSLOptions tls) {
    RuntimeStateOptions options = options(url).setCommandTimeout(Duration.ofSeconds(8));
    options.getRedis().setTls(tls);
    return options;
  }

  private void assertWorks(StateBackend backend) {
    run(backend, set("k", "v"));
    assertThat(run(backend, compareAndSet("k", "v", "w"))).isTrue();
  }

  private void assertRefused(RuntimeStateOptions options, FailureCode code, String... hints) {
    RuntimeStateException failure = failure(opening(options));
    assertThat(failure.code()).as(failure.getMessage()).isEqualTo(code);
    assertThat(failure).hasMessageContainingAll(hints);
    assertThat(failure.mayHaveBeenApplied()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1"})
  @DisplayName("a certificate of a trusted authority for this host is accepted")
  void trusted(String host) {
    String url = "rediss://" + host + ":" + server.tlsPort();
    assertWorks(open(secured(url, trusting(authority))));
  }

  @Test
  @DisplayName("another authority, or that of the JVM, does not do")
  void untrusted() {
    for (ClientSSLOptions tls : new ClientSSLOptions[] {trusting(stranger), null}) {
      assertRefused(
          secured(server, tls), FailureCode.INVALID_CONFIGURATION, "not trusted", "redis.tls");
    }
  }

  @Test
  @DisplayName("a certificate for another host is refused unless the check is switched off")
  void anotherHost() {
    Issued elsewhere = authority.issue("elsewhere", "dns:redis.example.org");
    try (RedisServer other = RedisServer.startTls(authority, elsewhere, "tls-auth-clients no")) {
      assertRefused(
          secured(other, trusting(authority)),
          FailureCode.INVALID_CONFIGURATION,
          "host name",
          "redis.url");
      assertWorks(open(secured(other, trusting(authority).setHostnameVerificationAlgorithm(""))));
    }
  }

  @Test
  @DisplayName("a plain client at the TLS port hears which scheme to use")
  void plainToTls() {
    assertRefused(
        options("redis://localhost:" + server.tlsPort()), FailureCode.UNAVAILABLE, "rediss");
  }

  @Test
  @DisplayName("a TLS client at a plain port, which never answers, hears of it at the deadline")
  void tlsToPlain() {
    RuntimeStateOptions options =
        secured("rediss://localhost:" + server.port(), trusting(authority))
            .setCommandTimeout(Duration.ofSeconds(1));
    assertRefused(options, FailureCode.TIMED_OUT, "speak TLS");
  }

  @Test
  @DisplayName("mutual TLS accepts a client with a certificate of the right authority")
  void mutualTls() {
    assertWorks(open(secured(mutual, showing(authority.issue("client", "dns:client")))));
  }

  @Test
  @DisplayName("mutual TLS refuses a client with none or a strange one, and logs no stack trace")
  void mutualTlsRefused() {
    try (RecordedLog log = RecordedLog.at(Level.SEVERE, "io.vertx")) {
      assertRefused(
          secured(mutual, trusting(authority)),
          FailureCode.UNAVAILABLE,
          "certificate",
          "redis.tls");
      assertRefused(
          secured(mutual, showing(stranger.issue("client", "dns:client"))),
          FailureCode.UNAVAILABLE,
          "certificate",
          "redis.tls");
      assertThat(log.text()).isEmpty();
    }
  }

  @Test
  @DisplayName("settings that cannot be read are a configuration failure")
  void unreadableFile() {
    ClientSSLOptions tls =
        new ClientSSLOptions().setTrustOptions(new PemTrustOptions().addCertPath("missing.pem"));
    assertRefused(secured(server, tls), FailureCode.INVALID_CONFIGURATION, "redis.tls");
  }

  @Test
  @DisplayName("TLS and an ACL user go together, also on connections made later")
  void aclUser() {
    try (RedisSide side = server.side()) {
      side.command("ACL", "SETUSER", "lib", "on", ">p@ss:word", "~TlsTest:*", "+@all");
      RuntimeStateOptions options = secured(server, trusting(authority));
      options.getRedis().setUsername("lib").setPassword("p@ss:word");
      StateBackend backend = open(options);
      assertWorks(backend);
      assertThat(side.clientList()).extracting(client -> client.get("user")).contains("lib");
      side.command("CLIENT", "KILL", "USER", "lib");
      Await.until(() -> works(backend), "it is back");
      assertWorks(backend);
      options.getRedis().setPassword("wrong");
      assertRefused(options, FailureCode.INVALID_CONFIGURATION, "user");
    }
  }

  private static boolean works(StateBackend backend) {
    var call = backend.execute(get("k"));
    Await.until(call::isComplete, "it completes");
    return call.succeeded();
  }
}

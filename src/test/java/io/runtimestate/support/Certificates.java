package io.runtimestate.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/**
 * An authority of one's own and certificates signed by it, as PEM files, made by the keytool of
 * this JDK. The files end with the JVM.
 */
public final class Certificates {
  private static final String STORE_PASSWORD = "changeit";

  private final Path directory;

  private Certificates(Path directory) {
    this.directory = directory;
  }

  /** A new authority, which nobody trusts yet. */
  public static Certificates authority() {
    try {
      Certificates authority = new Certificates(Files.createTempDirectory("runtime-state-ca"));
      Runtime.getRuntime().addShutdownHook(new Thread(authority::delete, "certificates-delete"));
      authority.generate("ca", "-ext", "bc:c");
      authority.writePem("ca");
      return authority;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The authority's own certificate. */
  public Path authorityFile() {
    return file("ca.crt");
  }

  /**
   * Issues a certificate and its key.
   *
   * @param names as keytool writes them: {@code dns:localhost,ip:127.0.0.1}
   */
  public Issued issue(String name, String names) {
    generate(name, "-signer", "ca", "-ext", "san=" + names);
    writePem(name);
    return new Issued(file(name + ".crt"), file(name + ".key"));
  }

  /** The files of a certificate and its unencrypted key. */
  public record Issued(Path certificate, Path key) {}

  private void generate(String name, String... more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")); // starts faster
    command.addAll(
        List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-validity", "2"));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-keystore", store().toString(), "-storetype", "PKCS12", "-storepass"));
    command.add(STORE_PASSWORD);
    command.addAll(List.of(more));
    run(command);
  }

  private static void run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes());
      if (process.waitFor() != 0) {
        throw new AssertionError("keytool failed: " + output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted");
    }
  }

  private void writePem(String name) {
    try {
      KeyStore keys = KeyStore.getInstance(store().toFile(), STORE_PASSWORD.toCharArray());
      write(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
      byte[] key = keys.getKey(name, STORE_PASSWORD.toCharArray()).getEncoded();
      write(name + ".key", "PRIVATE KEY", key);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, String kind, byte[] encoded) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    Files.writeString(
        file(name), "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
  }

  private Path store() {
    return file("keys.p12");
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  private void delete() {
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
    } catch (IOException e) {
      // The system cleans its own temporary files.
    }
  }
}

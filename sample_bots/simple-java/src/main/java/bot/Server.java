package bot;

import arena.v1.PlayerGrpc;
import arena.v1.PlayerOuterClass.HelloRequest;
import arena.v1.PlayerOuterClass.HelloResponse;
import arena.v1.PlayerOuterClass.PlayRequest;
import arena.v1.PlayerOuterClass.PlayResponse;
import arena.v1.PlayerOuterClass.Turn;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bot as a process: it listens where ARENA_LISTEN says, answers the arena, and ends when there is no more to do.
 * What it plays is in {@link Policy}.
 */
public final class Server extends PlayerGrpc.PlayerImplBase {
    private static final String NAME = "simple-java";
    private static final String VERSION = "1.0";
    private static final int PROTOCOL_VERSION = 1;
    private static final int GOODBYE_SECONDS = 1; // for the last answers to leave
    private static final Pattern LISTEN = Pattern.compile("unix:(?<path>.+)|tcp:(?<host>.+):(?<port>[0-9]{1,5})");

    private final CountDownLatch hungUp = new CountDownLatch(1); // the last stream is closed
    private int streams; // open ones

    /** Ends the process with code 0, or with 2 if it cannot listen. On a fixed TCP port it waits for SIGTERM. */
    public static void main(String[] args) throws InterruptedException {
        String listen = System.getenv().getOrDefault("ARENA_LISTEN", "");
        Matcher address = LISTEN.matcher(listen);
        if (!address.matches()) {
            leave(2, "the arena starts this bot; by hand set ARENA_LISTEN to unix:/path or tcp:host:port, not to '"
                    + listen + "'");
        }
        // A signal ends the process with code 0, not with the JVM's own 143.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
        Server bot = new Server();
        io.grpc.Server server = bot.listen(address);
        String port = address.group("port");
        if (port != null) {
            System.out.println("ARENA-READY " + address.group("host") + ":" + server.getPort());
            System.out.flush();
        }
        boolean isPrivate = port == null || Integer.parseInt(port) == 0; // only the arena that started the bot comes
        if (isPrivate) {
            bot.hungUp.await();
            server.shutdown().awaitTermination(GOODBYE_SECONDS, TimeUnit.SECONDS);
        } else {
            server.awaitTermination();
        }
        Runtime.getRuntime().halt(0);
    }

    /** Starts to listen. One thread does it all: there is one arena, and it asks one thing at a time. */
    private io.grpc.Server listen(Matcher address) {
        EventLoopGroup thread = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            return builder(address)
                    .bossEventLoopGroup(thread)
                    .workerEventLoopGroup(thread)
                    .directExecutor()
                    .addService(this)
                    .build()
                    .start();
        } catch (IOException | IllegalArgumentException error) {
            throw leave(2, "cannot listen: " + error.getMessage());
        }
    }

    /** For a unix socket the JDK's own, so that no native library is needed, or for TCP. */
    private static NettyServerBuilder builder(Matcher address) {
        String path = address.group("path");
        if (path != null) {
            return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(path))
                    .channelType(NioServerDomainSocketChannel.class)
                    .withChildOption(ChannelOption.SO_KEEPALIVE, null); // not for these: it would only warn
        }
        int port = Integer.parseInt(address.group("port"));
        return NettyServerBuilder.forAddress(new InetSocketAddress(address.group("host"), port))
                .channelType(NioServerSocketChannel.class);
    }

    @Override
    public void hello(HelloRequest request, StreamObserver<HelloResponse> arena) {
        arena.onNext(HelloResponse.newBuilder()
                .setProtocolVersion(PROTOCOL_VERSION)
                .setName(NAME)
                .setVersion(VERSION)
                .build());
        arena.onCompleted();
    }

    @Override
    public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> arena) {
        streams++;
        return new StreamObserver<>() {
            private boolean isOpen = true;

            @Override
            public void onNext(PlayRequest request) {
                // The notices, getHandsOverList and getGamesOverList, are for a bot with a memory: before the turns.
                PlayResponse response = answer(request);
                if (response.getDecisionsCount() > 0) {
                    arena.onNext(response);
                }
            }

            @Override
            public void onCompleted() {
                arena.onCompleted();
                close();
            }

            @Override
            public void onError(Throwable gone) { // the arena has gone without a goodbye
                close();
            }

            private void close() {
                if (isOpen && --streams == 0) {
                    hungUp.countDown();
                }
                isOpen = false;
            }
        };
    }

    /** Answer a request, or end the process: gRPC would swallow what goes wrong, and leave a bot that says nothing. */
    private static PlayResponse answer(PlayRequest request) {
        PlayResponse.Builder response = PlayResponse.newBuilder();
        try {
            for (Turn turn : request.getTurnsList()) {
                response.addDecisions(Policy.decide(turn).setTurnId(turn.getId()));
            }
        } catch (Throwable wrong) {
            wrong.printStackTrace();
            throw leave(1, "the policy failed: " + wrong);
        }
        return response.build();
    }

    private static RuntimeException leave(int code, String message) {
        System.err.println(message);
        System.err.flush();
        Runtime.getRuntime().halt(code);
        return new IllegalStateException(message); // for the compiler: nothing comes after the end
    }
}

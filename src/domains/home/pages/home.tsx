export default function Home() {
  return (
    <main>
      <h1>Dhulai</h1>
    </main>
  );
}
